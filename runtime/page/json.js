/** JSON, laid out and coloured. Every text in it becomes a text node. */
import { html } from './vendor/lit-html.js';
import { LongNumber } from './numbers.js';

const INDENT = '  ';

/** @param {any} value @param {string} label what it is, for readers that hear it */
export function jsonView(value, label) {
  return html`<pre class="code" tabindex="0" role="group" aria-label=${label}><code>${node(value, '')}</code></pre>`;
}

/** @param {any} value @param {string} indent @returns {unknown} */
function node(value, indent) {
  if (Array.isArray(value))
    return group(
      '[',
      ']',
      value.map((item) => ['', item]),
      indent,
    );
  if (value instanceof LongNumber) return html`<span class="j-number">${value.digits}</span>`;
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).map(([name, item]) => [
      html`<span class="j-name">${JSON.stringify(name)}</span>: `,
      item,
    ]);
    return group('{', '}', members, indent);
  }
  const kind = value === null ? 'null' : typeof value;
  return html`<span class="j-${kind}">${JSON.stringify(value)}</span>`;
}

/** @param {string} open @param {string} close @param {any[][]} members @param {string} indent */
function group(open, close, members, indent) {
  if (members.length === 0) return `${open}${close}`;
  const inner = indent + INDENT;
  const lines = members.map(([name, item], index) => [
    `\n${inner}`,
    name,
    node(item, inner),
    index + 1 < members.length ? ',' : '',
  ]);
  return [open, lines, `\n${indent}${close}`];
}
