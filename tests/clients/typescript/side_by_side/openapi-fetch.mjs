import createClient from "openapi-fetch";

const media = "application/vnd.service.public.v1+json";

export async function task(baseUrl, token, seller, print) {
  const headers = { Accept: media, "Content-Type": media, "User-Agent": "books/1", Authorization: `Bearer ${token}` };
  const client = createClient({ baseUrl, headers });
  function checked({ data, error, response }) {
    if (error) throw Object.assign(new Error(response.status), { status: response.status, ...error });
    return data;
  }
  async function raise(path) {
    for (let attempt = 1; ; attempt++) {
      const read = await client.GET("/offers/{offerId}", { params: { path } });
      const body = checked(read);
      body.buyNow.amount = (body.buyNow.amount * 1.1).toFixed(2);
      const header = { "If-Match": read.response.headers.get("ETag") };
      const written = await client.PUT("/offers/{offerId}", { params: { path, header }, body });
      if (written.response.status !== 412 || attempt === 3) return checked(written);
    }
  }
  async function renew(offer) {
    const command = "/offers/{offerId}/renew-commands/{commandId}";
    const path = { ...offer, commandId: crypto.randomUUID() };
    const body = { fromDate: new Date().toISOString(), duration: "P14D" };
    let renewal = checked(await client.PUT(command, { params: { path }, body }));
    for (let pause = 100; renewal.status === "RUNNING"; pause = Math.min(pause * 1.6, 5000)) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      renewal = checked(await client.GET(command, { params: { path } }));
    }
    if (renewal.status === "FAILED") throw Object.assign(new Error("FAILED"), { errors: renewal.errors });
  }
  for (let last; ; ) {
    const query = {
      category: ["BOOKS"],
      "seller.id": [seller],
      "buyNow.amount.lt": "50",
      "buyNow.currency": ["PLN"],
      sort: "id",
      limit: 1000,
      ...(last && { "id.gt": last }),
    };
    const { offers } = checked(await client.GET("/offers", { params: { query } }));
    for (const { id } of offers) {
      try {
        await raise({ offerId: id });
        await renew({ offerId: id });
      } catch (error) {
        print(id, error.errors?.[0]?.code ?? error.message);
      }
    }
    if (offers.length < 1000) return;
    last = offers.at(-1).id;
  }
}
