// The generated client in a browser, from the origin of a service: node client.mjs BASE TOKEN PACKAGE.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from './browser.mjs';

const [, , base, token, folder] = process.argv;
const MODULES = '/client-under-test/';

const browser = await launch();
const page = await browser.newPage();
// the modules come from the origin, as if the service had them, so that its security policy lets them in
await page.route(`${base}${MODULES}**`, (route) => {
  const path = new URL(route.request().url()).pathname.slice(MODULES.length);
  return route.fulfill({ contentType: 'text/javascript', body: readFileSync(join(folder, 'src', path)) });
});
await page.goto(`${base}/docs`);
const found = await page.evaluate(
  async ({ base, token, module }) => {
    const { Invalid, marketplace } = await import(module);
    const api = marketplace({ baseUrl: base, token });
    const seller = await api.users.create({ name: 'in-browser', email: `${crypto.randomUUID()}@example.com` });
    const offer = await api.offers.create({
      name: 'From a browser',
      seller: { id: seller.id },
      buyNow: { amount: '10.00', currency: 'PLN' },
      address: { city: 'Gdynia', countryCode: 'PL' },
    });
    const ended = await api.offers.end(offer.id, { reason: 'OTHER' });
    const edited = await api.offers.edit(offer.id, (it) => void (it.stock = 7));
    const wrong = await api.users.create({ name: 'x', email: 'x' }).catch((error) => error instanceof Invalid && error.has('NotEmail', 'email'));
    const names = [];
    for await (const it of api.offers.list({ seller: { id: seller.id } })) names.push(it.name);
    const events = api.events({ resource: ['offers'] });
    const first = events.next();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await api.offers.delete(offer.id);
    const { type } = (await first).value;
    await events.return();
    return { status: ended.status, stock: edited.stock, wrong, names, type };
  },
  { base, token, module: `${MODULES}index.js` },
);
await browser.close();
assert.deepEqual(found, {
  status: 'SUCCESSFUL',
  stock: 7,
  wrong: true,
  names: ['From a browser'],
  type: 'marketplace.offer.deleted',
});
