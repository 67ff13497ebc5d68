// References are chosen from a list that tells how much more there is, or found by a text; days and times have the
// browser's own inputs. In filters and in forms, by keyboard.
import assert from 'node:assert/strict';
import { launch, Visit } from './browser.mjs';

const [base, token] = process.argv.slice(2);
const MEDIA_TYPE = 'application/vnd.service.public.v1+json';
const headers = { accept: MEDIA_TYPE, authorization: `Bearer ${token}`, 'user-agent': 'test' };
/** Entities that a picker offers at a time. */
const OFFERED = 20;

async function stored(path) {
  const response = await fetch(`${base}${path}`, { headers });
  return response.json();
}

async function signUp(number) {
  const body = JSON.stringify({ name: `picked ${number}`, email: `picked-${number}@example.com`, kind: 'PRIVATE' });
  const method = 'POST';
  const response = await fetch(`${base}/users`, { method, headers: { ...headers, 'content-type': MEDIA_TYPE }, body });
  assert.equal(response.status, 201, await response.clone().text());
  return response.json();
}

const browser = await launch();
const visit = await Visit.start(browser, base, { scheme: 'light', width: 1280, name: 'pickers' });
const { users: few, count: usersBefore } = await stored('/users');
const [{ seller }] = (await stored('/offers?limit=1')).offers;

// a filter by a reference: all that there are, while they are few
assert.ok(usersBefore < OFFERED, `${usersBefore} users`);
await visit.open('/docs#/operations/listOffers');
await visit.sees('tbody tr');
await visit.page.selectOption('#filter-name', 'seller.id');
await visit.follow('#add-filter');
await visit.sees('#filter-0:focus');
await visit.follow('#filter-0-choose');
await visit.seesText('#filter-0-found', `${usersBefore} found.`);
assert.equal(await visit.page.locator('.choices li').count(), few.length);
await visit.audit('choices');
await visit.press('Escape');
await visit.sees('#filter-0-choose:focus');
assert.equal(await visit.page.locator('.choices').count(), 0);

// more than it offers: it says so, and a search finds any
const made = [];
for (let number = 10; number < 10 + OFFERED; number += 1) made.push(await signUp(number));
await visit.press('Enter');
await visit.seesText('#filter-0-found', `The first ${OFFERED} of ${usersBefore + OFFERED}. Search to find others.`);
assert.equal(await visit.page.locator('.choices li').count(), OFFERED);
await visit.page.keyboard.type('nobody at all');
await visit.seesText('#filter-0-found', 'Nothing matches.');
await visit.write('#filter-0-search', seller.name);
await visit.seesText('#filter-0-found', '1 found.');
await visit.follow('.choices li button');
await visit.sees('#filter-0-choose:focus');
assert.equal(await visit.page.inputValue('#filter-0'), seller.id);
await visit.seesText('#filter-0-label', seller.name);
await visit.follow('#apply');
const ofSeller = await stored(`/offers?seller.id=${seller.id}`);
await visit.seesText('#count', String(ofSeller.count));
await visit.audit('chosen');

// a time: in UTC, with all digits; what such an input cannot hold stays a text
await visit.page.selectOption('#filter-name', 'createdAt.gte');
await visit.page.click('#add-filter');
await visit.sees('#filter-1[type=datetime-local]');
await visit.page.fill('#filter-1', '2999-12-01T08:00:00.250');
await visit.page.click('#apply');
await visit.sees('.empty');
assert.match(decodeURIComponent(await visit.page.evaluate(() => location.hash)), /createdAt\.gte=2999-12-01T08:00:00\.250Z/);
await visit.audit('time');
await visit.open('/docs#/operations/listOffers?createdAt.gte=yesterday');
await visit.page.reload();
await visit.sees('#filter-0[type=text]');
await visit.sees('#filter-0-error');

// a day, in a filter
await visit.open('/docs#/operations/listGeneralDeliveries?storedUntil.lt=2026-01-31');
await visit.sees('#filter-0[type=date]');
assert.equal(await visit.page.inputValue('#filter-0'), '2026-01-31');

// in a form: a reference, and a time
await visit.page.click('.token > summary');
await visit.page.fill('#token', token);
await visit.page.click('.token > summary');
await visit.open('/docs#/operations/createContest');
await visit.sees('[id="in-organizer.id-choose"]');
await visit.page.click('[id="in-organizer.id-choose"]');
await visit.sees('[id="in-organizer.id-search"]:focus');
await visit.page.keyboard.type(made[7].name);
await visit.seesText('[id="in-organizer.id-found"]', '1 found.');
await visit.page.click('.choices li button');
assert.equal(await visit.page.inputValue('[id="in-organizer.id"]'), made[7].id);
await visit.page.fill('#in-startingAt', '2030-05-01T10:30');
await visit.page.click('text=Write as JSON');
const body = JSON.parse(await visit.page.inputValue('#in-body'));
assert.deepEqual([body.organizer, body.startingAt], [{ id: made[7].id }, '2030-05-01T10:30:00.000Z']);
await visit.audit('form');

await visit.end();
await browser.close();
console.log(`${visit.audits} audits`);
