// Every screen in each of its states, light at a desk and dark on a phone: no fault of accessibility, nothing that
// scrolls sideways, no message of the policy, no request to another host.
import { launch, Visit } from './browser.mjs';

const [base, token] = process.argv.slice(2);
const MEDIA_TYPE = 'application/vnd.service.public.v1+json';

const response = await fetch(`${base}/offers?limit=1`, { headers: { accept: MEDIA_TYPE, 'user-agent': 'test' } });
const [{ id }] = (await response.json()).offers;

/** @param {Visit} visit */
async function signIn(visit) {
  await visit.page.click('.token > summary');
  await visit.page.fill('#token', token);
  await visit.sees('#forget');
}

/** @type {[string, string, (visit: Visit) => Promise<unknown>][]} name, address, what is done there */
const STATES = [
  ['overview', '/', (visit) => visit.sees('.cards')],
  ['resource', '/docs#/resources/offers', (visit) => visit.sees('.fields')],
  [
    'menu',
    '/docs#/resources/contests',
    async (visit) => {
      if (await visit.page.isVisible('.menu > summary')) await visit.page.click('.menu > summary');
      await visit.sees('.inner');
    },
  ],
  ['list', '/docs#/operations/listOffers?sort=-stock', (visit) => visit.sees('tbody tr')],
  [
    'next-page',
    '/docs#/operations/listOffers?limit=2',
    async (visit) => {
      await visit.page.click('#next');
      await visit.seesText('.pages', '3–4');
    },
  ],
  ['list-refused', '/docs#/operations/listOffers?stock=x', (visit) => visit.sees('#filter-0-error')],
  ['list-without-token', '/docs#/operations/listWatches', (visit) => visit.seesText('#answer-status', '401')],
  ['entity', `/docs#/operations/getOffer?offerId=${id}`, (visit) => visit.sees('dl.values')],
  [
    'entity-missing',
    `/docs#/operations/getOffer?offerId=${id.replace(/.{4}$/, '0000')}`,
    (visit) => visit.seesText('#answer-status', '404'),
  ],
  [
    'creation',
    '/docs#/operations/createOffer',
    async (visit) => {
      await signIn(visit);
      await visit.page.click('.token > summary');
      await visit.page.fill('#in-name', 'x'.repeat(76));
      await visit.sees('#in-name-error');
      await visit.page.click('text=Add to shippingOptions');
      await visit.page.click('text=Add to images');
      await visit.page.click('#check');
      await visit.sees('fieldset > .error');
    },
  ],
  [
    'example',
    '/docs#/operations/createOffer',
    async (visit) => {
      await visit.page.click('#fill-example');
      await visit.page.click('text=Write as JSON');
      await visit.sees('#in-body');
    },
  ],
  [
    'replacement',
    `/docs#/operations/updateOffer?offerId=${id}`,
    async (visit) => {
      await visit.page.waitForFunction(() => document.querySelector('#in-name')?.value !== '');
      await visit.page.click('text=More headers');
    },
  ],
  ['patch', `/docs#/operations/patchProduct?productId=${id}`, (visit) => visit.sees('#in-body')],
  [
    'deletion',
    `/docs#/operations/deleteOffer?offerId=${id}`,
    async (visit) => {
      await signIn(visit);
      await visit.page.click('.token > summary');
      await visit.page.click('#check');
      await visit.sees('.dry-run.valid, .dry-run.faulty');
    },
  ],
  [
    'search',
    '/docs#/operations/createOfferSearch',
    async (visit) => {
      await visit.page.fill('#in-category', '["SPORT","BOOKS"]');
      await visit.page.click('#send');
      await visit.seesText('#answer-status', '201');
      await visit.sees('.next a');
    },
  ],
  [
    'command-refused',
    `/docs#/operations/endOffer?offerId=${id}`,
    async (visit) => {
      await visit.page.click('#send');
      await visit.seesText('#answer-status', '401');
    },
  ],
  ['events', '/docs#/events?resource=offers', (visit) => visit.sees('.feed.live')],
  [
    'errors',
    '/docs#/errors',
    async (visit) => {
      await visit.page.click('.codes summary >> nth=0');
      await visit.sees('.codes details[open] a');
    },
  ],
  ['token', '/docs', signIn],
  [
    'other-version',
    '/docs#/operations/listOffers',
    async (visit) => {
      await visit.sees('tbody tr');
      await visit.page.selectOption('#version', 'beta.v2');
      await visit.seesText('.code', 'beta.v2');
    },
  ],
  [
    'polish',
    '/docs#/resources/offers',
    async (visit) => {
      await visit.page.selectOption('#language', 'pl');
      await visit.seesText('h2', 'Operacje');
    },
  ],
];

const browser = await launch();
let audits = 0;
// colours depend on the scheme alone, the layout on the width
for (const { scheme, width } of [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 360 },
]) {
  for (const [name, path, act] of STATES) {
    const visit = await Visit.start(browser, base, { scheme, width, name });
    await visit.open(path);
    await act(visit);
    await visit.audit('audit');
    await visit.end();
    audits += visit.audits;
  }
}
await browser.close();
console.log(`${audits} audits`);
