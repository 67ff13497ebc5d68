const media = "application/vnd.service.public.v1+json";

export async function task(baseUrl, token, seller, print) {
  const common = { Accept: media, "Content-Type": media, "User-Agent": "books/1", Authorization: `Bearer ${token}` };
  async function send(method, path, body, headers) {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { ...common, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const json = await response.json();
    if (!response.ok) throw Object.assign(new Error(response.status), { status: response.status, ...json });
    return { json, etag: response.headers.get("ETag") };
  }
  async function raise(id) {
    for (let attempt = 1; ; attempt++) {
      const { json: offer, etag } = await send("GET", `/offers/${id}`);
      offer.buyNow.amount = (offer.buyNow.amount * 1.1).toFixed(2);
      try {
        return await send("PUT", `/offers/${id}`, offer, { "If-Match": etag });
      } catch (error) {
        if (error.status !== 412 || attempt === 3) throw error;
      }
    }
  }
  async function renew(id) {
    const path = `/offers/${id}/renew-commands/${crypto.randomUUID()}`;
    let { json } = await send("PUT", path, { fromDate: new Date().toISOString(), duration: "P14D" });
    for (let pause = 100; json.status === "RUNNING"; pause = Math.min(pause * 1.6, 5000)) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      ({ json } = await send("GET", path));
    }
    if (json.status === "FAILED") throw Object.assign(new Error("FAILED"), { errors: json.errors });
  }
  for (let last; ; ) {
    const query = new URLSearchParams({
      category: "BOOKS",
      "seller.id": seller,
      "buyNow.amount.lt": "50",
      "buyNow.currency": "PLN",
      sort: "id",
      limit: "1000",
      ...(last && { "id.gt": last }),
    });
    const { offers } = (await send("GET", `/offers?${query}`)).json;
    for (const { id } of offers) {
      try {
        await raise(id);
        await renew(id);
      } catch (error) {
        print(id, error.errors?.[0]?.code ?? error.message);
      }
    }
    if (offers.length < 1000) return;
    last = offers.at(-1).id;
  }
}
