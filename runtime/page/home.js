/**
 * The first screen: what the service is, its resources, and where its descriptions are.
 *
 * @import { Interface } from './interface.js'
 */
import { html } from './vendor/lit-html.js';
import { address } from './client.js';
import { link } from './router.js';
import { t } from './texts.js';
import { prose } from './values.js';

/** The descriptions for programs. */
const DOCUMENTS = ['openapi.json', 'asyncapi.json', 'model.json'];

export class HomeScreen {
  /** @param {Interface} api */
  constructor(api) {
    this.api = api;
    this.title = api.title;
  }

  update() {}

  leave() {}

  render() {
    const { api } = this;
    return html`
      <header class="head">
        <h1 tabindex="-1">${api.title}</h1>
        <p class="lead">${t('homeLead')}</p>
      </header>
      <section aria-labelledby="resources-title">
        <h2 id="resources-title">${t('resources')}</h2>
        <ul class="cards">
          ${api.resources.map(
            (resource) => html`<li class="card">
              <h3><a href=${link('resources', resource.plural)}>${resource.name}</a></h3>
              <p>${prose(resource.description)}</p>
              <p class="muted">${t('operationCount', { count: resource.operations.length })}</p>
            </li>`,
          )}
        </ul>
      </section>
      <section aria-labelledby="rules-title">
        <h2 id="rules-title">${t('everyRequest')}</h2>
        ${api.introduction.map((text) => html`<p class="lead" lang="en">${prose(text)}</p>`)}
      </section>
      <section aria-labelledby="documents-title">
        <h2 id="documents-title">${t('documents')}</h2>
        <ul class="links">${DOCUMENTS.map((name) => html`<li><a href=${address(`/${name}`)}>${name}</a></li>`)}</ul>
      </section>
    `;
  }
}
