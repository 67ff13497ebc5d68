// Forms with maps and JSON of any form: what is no JSON yet is said while one types and not sent, errors stand at their
// field, and numbers keep their digits.
import assert from 'node:assert/strict';
import { launch, Visit } from './browser.mjs';

const [base] = process.argv.slice(2);
const MEDIA_TYPE = 'application/vnd.service.public.v1+json';
const DIGITS = '[1.50,12345678901234567890.123,-0]';

async function text(path) {
  const response = await fetch(`${base}${path}`, { headers: { accept: MEDIA_TYPE, 'user-agent': 'test' } });
  return response.text();
}

const browser = await launch();
const visit = await Visit.start(browser, base, { scheme: 'light', width: 1200, name: 'free-values' });
const requests = [];
visit.page.on('request', (request) => request.method() === 'GET' || requests.push(request.postData()));
const isFaulty = (id) => visit.page.getAttribute(id, 'aria-invalid').then((it) => it === 'true');

// a map, as JSON
await visit.open('/#/operations/createTag');
await visit.seesText('h1', 'Create Tag');
await visit.write('#in-name', 'old');
await visit.seesText('#dry-run', 'No errors');
const before = requests.length;
await visit.write('#in-attributes', '{"size": 1.50, "parts": [');
await visit.seesText('#in-attributes-error', 'not JSON yet');
assert.ok(await isFaulty('#in-attributes'));
await visit.audit('unfinished');
// it is not sent, not even to be checked
await visit.follow('#send');
await visit.sees('#in-attributes:focus');
await visit.page.waitForTimeout(600);
assert.deepEqual(requests.slice(before), []);
await visit.write('#in-attributes', '{"size": 1.50, "parts": [null]}');
await visit.seesText('#dry-run', 'No errors');
assert.equal(await isFaulty('#in-attributes'), false);
await visit.write('#in-attributes', '{"size": null}');
await visit.seesText('#in-attributes-error', 'attributes.size:');
await visit.write('#in-attributes', `{"size": ${DIGITS}, "word": "a"}`);
await visit.seesText('#dry-run', 'No errors');
await visit.follow('#send');
await visit.seesText('#answer-status', '201');
const [tag] = JSON.parse(await text('/tags')).tags;
assert.ok((await text(`/tags/${tag.id}`)).includes(`"attributes":{"size":${DIGITS},"word":"a"}`));

// a form that begins with what is stored sends it as it is
await visit.open(`/#/operations/updateTag?tagId=${tag.id}`);
await visit.page.waitForFunction(() => document.querySelector('#in-attributes')?.value.includes('1.50'));
await visit.write('#in-name', 'new');
await visit.seesText('#dry-run', 'No errors');
await visit.follow('#send');
await visit.seesText('#answer-status', '200');
const after = await text(`/tags/${tag.id}`);
assert.ok(after.includes(`"attributes":{"size":${DIGITS},"word":"a"}`) && after.includes('"name":"new"'), after);

// inputs of a command
const headers = { accept: MEDIA_TYPE, 'content-type': MEDIA_TYPE, 'user-agent': 'test' };
const body = JSON.stringify({ name: 'Amber', storage: { shelf: 'A1' }, readings: [7] });
const specimen = await (await fetch(`${base}/specimens`, { method: 'POST', headers, body })).json();
await visit.open(`/#/operations/treatSpecimen?specimenId=${specimen.id}`);
await visit.tabTo('#in-how');
await visit.page.keyboard.type('DESCRIBE');
await visit.write('#in-traits', '{"shiny": "very"}');
await visit.write('#in-settings', '{"a": [null, 1.5]');
await visit.seesText('#in-settings-error', 'not JSON yet');
await visit.page.keyboard.type('}');
await visit.seesText('#dry-run', 'No errors');
await visit.audit('command');
await visit.follow('#send');
await visit.seesText('#command-status', 'SUCCESSFUL');
const described = JSON.parse(await text(`/specimens/${specimen.id}`));
assert.deepEqual([described.traits, described.settings], [{ shiny: 'very' }, { a: [null, 1.5] }]);

await visit.end();
await browser.close();
console.log(`${visit.audits} audits`);
