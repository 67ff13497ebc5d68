// The whole way by keyboard, on a phone, in the dark: list, filter, open, a wrong form that a dry run reports, mended
// and sent, a command until it has succeeded, and its event.
import assert from 'node:assert/strict';
import { launch, Visit } from './browser.mjs';

const [base, token] = process.argv.slice(2);
const MEDIA_TYPE = 'application/vnd.service.public.v1+json';
const NAME = 'Bicycle bell, polished';

async function stored(path) {
  const headers = { accept: MEDIA_TYPE, authorization: `Bearer ${token}`, 'user-agent': 'test' };
  const response = await fetch(`${base}${path}`, { headers });
  return response.json();
}

const browser = await launch();
const visit = await Visit.start(browser, base, { scheme: 'dark', width: 360, name: 'way' });
await visit.open('/');
await visit.seesText('h1', 'Marketplace API');

// list
await visit.follow('.menu > summary');
await visit.follow('.menu a[href="#/resources/offers"]');
await visit.seesText('h1', 'Offer');
await visit.follow('.head a[href="#/operations/listOffers"]');
await visit.sees('tbody tr');
const { count: all } = await stored('/offers');
const { count: active } = await stored('/offers?status=ACTIVE');
await visit.seesText('#count', String(all));

// filter
await visit.tabTo('#filter-name');
await visit.page.keyboard.type('status');
await visit.follow('#add-filter');
await visit.sees('#filter-0:focus');
await visit.page.keyboard.type('ENDED');
await visit.follow('#apply');
await visit.sees('.empty, tbody tr');
await visit.page.waitForFunction((count) => Number(document.querySelector('#count').textContent) !== count, all);
assert.match(await visit.page.evaluate(() => location.hash), /^#\/operations\/listOffers\?status=ENDED/);
await visit.audit('filtered');
await visit.tabTo('#filter-0');
await visit.page.keyboard.type('ACTIVE');
await visit.follow('#apply');
await visit.seesText('#count', String(active));
// the address alone shows the same
await visit.page.reload();
await visit.seesText('#count', String(active));
assert.equal(await visit.page.inputValue('#filter-0'), 'ACTIVE');

// columns: by choice, and remembered
await visit.follow('#columns > summary');
await visit.tabTo('#column-description');
await visit.press('Space');
await visit.seesText('thead th', 'description');
await visit.audit('columns');
await visit.page.reload();
await visit.seesText('thead th', 'description');
await visit.page.evaluate(() => localStorage.clear());

// open
await visit.follow('tbody th a');
await visit.seesText('dl.values dt', 'buyNow');
const id = /offerId=([0-9a-f-]+)/.exec(await visit.page.evaluate(() => location.hash))[1];
const before = await stored(`/offers/${id}`);
await visit.audit('entity');

// the token: in memory only
await visit.follow('.token > summary');
await visit.tabTo('#token');
await visit.page.keyboard.insertText(token);
await visit.seesText('.token dl', 'offers.admin');
await visit.audit('token');
await visit.press('Shift+Tab', 'Enter');
const kept = await visit.page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]);
assert.deepEqual(kept, [0, 0, '']);
// kept in the tab where the reader asks for it, and forgotten with the token
await visit.press('Enter');
await visit.tabTo('#keep-token');
await visit.press('Space');
assert.equal(await visit.page.evaluate(() => sessionStorage.getItem('restwell.token')), token);
await visit.audit('token-kept');
await visit.press('Space');
assert.equal(await visit.page.evaluate(() => sessionStorage.length), 0);
await visit.page.focus('.token > summary');
await visit.press('Enter');

// a wrong form, told by dry runs in the language of the switch
await visit.follow('nav a[href^="#/operations/updateOffer"]');
await visit.page.waitForFunction((name) => document.querySelector('#in-name')?.value === name, before.name);
await visit.write('#in-name', ' ');
await visit.seesText('#in-name-error', 'Please');
assert.equal(await visit.page.getAttribute('#in-name', 'aria-invalid'), 'true');
const english = await visit.page.textContent('#in-name-error');
await visit.write('[id="in-buyNow.amount"]', '12,50');
await visit.sees('[id="in-buyNow.amount-error"]');
await visit.seesText('#dry-run', '2 errors');
await visit.tabTo('#language');
await visit.page.keyboard.type('P');
await visit.seesText('#dry-run', '2 błędy');
await visit.page.waitForFunction((text) => document.querySelector('#in-name-error')?.textContent !== text, english);
assert.equal(await visit.page.evaluate(() => document.documentElement.lang), 'pl');
await visit.audit('wrong-form');
await visit.tabTo('#language');
await visit.page.keyboard.type('E');
await visit.seesText('#dry-run', '2 errors');

// sent although it is wrong: the cursor is at the first error
await visit.follow('#send');
await visit.seesText('#answer-status', '422');
await visit.sees('#in-name:focus');

// mended
await visit.press('Control+A');
await visit.page.keyboard.type(NAME);
await visit.write('[id="in-buyNow.amount"]', '12.50');
await visit.seesText('#dry-run', 'No errors');
assert.deepEqual(await stored(`/offers/${id}`), before, 'a dry run changes nothing');

// sent
await visit.follow('#send');
await visit.seesText('#answer-status', '200');
const after = await stored(`/offers/${id}`);
assert.deepEqual([after.name, after.buyNow.amount], [NAME, '12.50']);
assert.deepEqual({ ...after, name: 0, buyNow: 0, updatedAt: 0 }, { ...before, name: 0, buyNow: 0, updatedAt: 0 });
await visit.audit('sent');

// a command until it has succeeded
await visit.follow('.menu > summary');
await visit.follow('.menu a[href="#/operations/endOffer"]');
await visit.seesText('h1', 'end');
await visit.seesText('.feed', 'Live');
assert.equal(await visit.page.inputValue('#id-offerId'), id);
await visit.tabTo('#in-reason');
await visit.page.keyboard.type('OTHER');
await visit.seesText('#dry-run', 'No errors');
await visit.follow('#send');
await visit.seesText('#answer-status', '201');
await visit.seesText('#command-status', 'SUCCESSFUL');
assert.equal((await stored(`/offers/${id}`)).status, 'ENDED');

// its event
await visit.seesText('.events summary', 'marketplace.offer.end-command.successful');
await visit.audit('command');
const command = await visit.page.inputValue('#id-commandId');
// again with the same id: it is not executed twice
await visit.follow('#send');
await visit.seesText('#send', 'same id');
assert.equal(await visit.page.inputValue('#id-commandId'), command);
await visit.follow('.events summary');
await visit.sees('.events details[open] pre');

// the call as curl says the same, without the token
const curl = await visit.page.textContent('#curl');
assert.ok(curl.includes(`-X PUT \\\n  '${base}/offers/${id}/end-commands/${command}'`), curl);
assert.ok(curl.includes('$TOKEN') && !curl.includes(token), curl);

await visit.end();
await browser.close();
console.log(`${visit.audits} audits`);
