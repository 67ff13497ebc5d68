// A browser with the page of a service, and what must never happen in it: a message of its security policy, an error of
// a script, a request to another host. Keys are pressed as people do: a test reaches nothing that Tab does not reach.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Keys of Tab before something counts as out of reach. */
const MAX_TABS = 300;
const PATIENCE = 30_000;

export async function launch() {
  return chromium.launch({
    executablePath: process.env.RESTWELL_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
}

export class Visit {
  static async start(browser, base, { scheme, width, name }) {
    const height = width < 800 ? 780 : 900;
    const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height }, locale: 'en-GB' });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const visit = new Visit(page, base, `${name}-${scheme}-${width}`);
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`CSP ${event.violatedDirective} ${event.blockedURI}`),
      );
    });
    page.on('console', (message) => {
      // the browser tells of each refusal of the service, which the page shows itself
      const isRefusal = message.text().startsWith('Failed to load') && !message.location().url.includes('/docs');
      if (['error', 'warning'].includes(message.type()) && !isRefusal) visit.messages.push(message.text());
    });
    page.on('pageerror', (error) => visit.messages.push(error.stack ?? String(error)));
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== base && protocol !== 'data:') visit.foreign.push(request.url());
    });
    return visit;
  }

  constructor(page, base, name) {
    Object.assign(this, { page, base, name, messages: [], foreign: [], audits: 0 });
  }

  async open(path) {
    await this.page.goto(`${this.base}${path}`);
    await this.page.waitForSelector('h1');
  }

  press(...keys) {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  /** Presses Tab until this has the focus. */
  async tabTo(selector) {
    await this.page.waitForSelector(selector, { state: 'attached' });
    for (let count = 0; count < MAX_TABS; count += 1) {
      await this.press('Tab');
      if (await this.page.evaluate((it) => document.activeElement?.matches(it), selector)) {
        await this.sees(':focus');
        return;
      }
    }
    assert.fail(`${this.name}: Tab does not reach ${selector}`);
  }

  /** Tab, then Enter. */
  async follow(selector) {
    await this.tabTo(selector);
    await this.press('Enter');
  }

  async write(selector, text) {
    await this.tabTo(selector);
    await this.press('Control+A', 'Delete');
    await this.page.keyboard.type(text);
  }

  sees(selector) {
    return this.page.waitForSelector(selector);
  }

  async seesText(selector, text) {
    const find = ([where, what]) => [...document.querySelectorAll(where)].some((it) => it.textContent.includes(what));
    await this.page.waitForFunction(find, [selector, text]).catch(async () => {
      const found = await this.page.locator(selector).allTextContents();
      assert.fail(`${this.name}: ${selector} has not “${text}” but ${JSON.stringify(found)}`);
    });
  }

  /** No fault of accessibility, nothing wider than the screen; a picture where one is asked for. */
  async audit(state) {
    await this.page.evaluate(axe);
    const result = await this.page.evaluate((rules) => globalThis.axe.run({ runOnly: rules }), RULES);
    const told = result.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((it) => it.html.slice(0, 120)).join(' | ')}`,
    );
    assert.deepEqual(told, [], `${this.name}, ${state}`);
    const width = await this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(width, 0, `${this.name}, ${state}: it scrolls sideways`);
    this.audits += 1;
    const folder = process.env.RESTWELL_PICTURES;
    if (folder) await this.page.screenshot({ path: `${folder}/${this.name}-${state}.png` });
  }

  /** What must never happen did not. */
  async end() {
    assert.deepEqual(this.messages, [], `${this.name}: messages`);
    assert.deepEqual(this.foreign, [], `${this.name}: requests to other hosts`);
    await this.page.context().close();
  }
}
