/**
 * The screen of an operation: what it is, and a way to try it. Lists, entities and commands add what is theirs.
 *
 * @import { Interface, Operation, Parameter } from './interface.js'
 * @import { Route } from './router.js'
 * @import { Reply } from './client.js'
 */
import { html, nothing } from './vendor/lit-html.js';
import { answerView, curlView } from './answer.js';
import { Form } from './form.js';
import { DryRun } from './dry_run.js';
import { header, newId, prepare, send } from './client.js';
import { go, link, parameter } from './router.js';
import { afterDrawing, listen, refresh, settings } from './store.js';
import { firstPage, listView } from './list.js';
import { entityView } from './entity.js';
import { CommandRun } from './command.js';
import { operationHead, operationReference } from './reference.js';
import { t } from './texts.js';
import { tryForm } from './try_form.js';

/** The actions that show what they find as soon as their ids are known. */
const READING = ['list', 'get', 'getSearch', 'status', 'listCommands'];

/** The ids that were used last: what was opened is what one wants to change next. @type {Record<string, string>} */
const lastIds = {};

export class OperationScreen {
  /** @param {Interface} api @param {Route} route */
  constructor(api, route) {
    this.api = api;
    const operation = api.operations.get(route.name);
    if (!operation) throw new Error(`no operation ${route.name}`);
    /** @type {Operation} */
    this.operation = operation;
    this.title = operation.summary;
    /** @type {Reply | null} */
    this.reply = null;
    this.failure = '';
    this.isBusy = false;
    /** @type {Record<string, string>} */
    this.ids = {};
    /** @type {[string, string][]} what the address says beside the ids */
    this.query = [];
    /** The entity that the form began with. */
    this.loaded = '';
    /** @type {Record<string, string>} */
    this.headers = {};
    this.takesBody = operation.bodies.size > 0;
    this.isRead = READING.includes(operation.action);
    this.dryRun = new DryRun(operation, (query) => this.call(query), () => !this.form.isMalformed());
    this.command = operation.action === 'submit' ? new CommandRun(api, operation) : null;
    this.unlisten = listen((changed) => this.settingsChanged(changed));
    this.form = this.newForm();
    this.update(route);
  }

  newForm() {
    const type = this.api.mediaType(this.operation, settings.version) ?? '';
    return new Form(this.api, this.operation, type, (path) => this.dryRun.touch(path));
  }

  /** @param {Route} route */
  update(route) {
    this.route = route;
    for (const { name, resource } of this.operation.ids) {
      this.ids[name] = parameter(route, name) || this.ids[name] || ((resource && lastIds[name]) ?? '');
      if (resource && this.ids[name]) lastIds[name] = this.ids[name];
    }
    if (this.command && !this.ids.commandId) this.ids.commandId = newId();
    this.query = route.query.filter(([name]) => !(name in this.ids));
    this.command?.watch(this.ids);
    if (this.isRead && this.hasIds()) void this.run();
    if (this.operation.action === 'update' && this.hasIds()) void this.loadEntity();
    refresh();
  }

  /** @param {string[]} changed */
  settingsChanged(changed) {
    if (changed.includes('version') && this.takesBody) {
      const body = this.form.draft;
      this.form = this.newForm();
      this.form.draft = body;
    }
    if (this.isRead && this.hasIds()) void this.run();
  }

  hasIds() {
    return Object.values(this.ids).every((id) => id !== '');
  }

  /** The call as it would be sent now. @param {[string, string][]} [query] beside that of the route */
  call(query = []) {
    const mediaType = this.api.mediaType(this.operation, settings.version);
    const body = this.takesBody ? this.form.body() : null;
    const own = this.operation.action === 'list' ? firstPage(this.query) : this.query;
    return prepare(this.operation, {
      ids: this.ids,
      query: [...own, ...query],
      body,
      mediaType,
      headers: this.headers,
    });
  }

  async run() {
    this.isBusy = true;
    refresh();
    try {
      this.reply = await send(this.call());
      this.failure = '';
    } catch (error) {
      this.failure = String(error);
    }
    this.isBusy = false;
    if (this.reply && this.takesBody) this.afterChange(this.reply);
    refresh();
  }

  async checkAll() {
    if (this.form.isMalformed()) return this.form.focusFirstFault();
    await this.dryRun.askAll();
    if (this.dryRun.state === 'faulty') this.form.focusFirstFault();
  }

  /** @param {Reply} reply */
  afterChange(reply) {
    this.dryRun.sent(reply);
    // the next change is of what is stored now
    const tag = header(reply, 'etag');
    if (this.headers['If-Match'] && tag) this.headers['If-Match'] = tag;
    if (reply.status === 422) this.form.focusFirstFault();
    this.command?.sent(reply);
  }

  /** On a small screen an answer is below what was sent. Where the cursor went to an error, it stays there. */
  showAnswer() {
    if (this.dryRun.state === 'faulty') return;
    const id = this.command && this.reply?.status === 201 ? 'command-title' : 'answer-title';
    afterDrawing(() => document.getElementById(id)?.scrollIntoView({ block: 'nearest' }));
  }

  /** What is there now, to begin with; its tag keeps the change from overwriting another. */
  async loadEntity() {
    const get = this.api.entityOperation(this.operation.resource, this.operation.view);
    if (!get || this.loaded === Object.values(this.ids).join()) return;
    this.loaded = Object.values(this.ids).join();
    const reply = await send(
      prepare(get, { ids: this.ids, mediaType: this.api.mediaType(get, settings.version) }),
    ).catch(() => null);
    if (reply?.status !== 200) return;
    this.form.load(reply.json);
    this.headers['If-Match'] = header(reply, 'etag');
    refresh();
  }

  /** The stored values in the place of those in the form, as after another's change (412). */
  reload() {
    this.loaded = '';
    this.reply = null;
    this.dryRun.problems = [];
    this.dryRun.state = 'idle';
    void this.loadEntity();
  }

  leave() {
    this.unlisten();
    this.dryRun.stop();
    this.command?.stop();
  }

  render() {
    const { operation } = this;
    const isList = operation.action === 'list';
    return html`
      ${operationHead(this.api, operation)}
      ${isList ? listView(this) : tryForm(this)}
      ${operation.action === 'get' ? entityView(this.api, operation, this.ids, this.reply) : nothing}
      ${this.command?.render() ?? nothing}
      ${answerView(this.reply, this.failure, isList || operation.action === 'get' || this.command !== null)}
      ${this.nextLinks()}
      ${curlView(this.call())}
      ${operationReference(this.api, operation)}
    `;
  }

  /** @param {Parameter} id @param {string} value */
  setId({ name, resource }, value) {
    this.ids[name] = value.trim();
    if (resource) lastIds[name] = this.ids[name];
    refresh();
  }

  /** @param {string} name @param {string} value */
  setHeader(name, value) {
    this.headers[name] = value;
    refresh();
  }

  /** Sends what was written. */
  async submit() {
    if (this.takesBody && this.form.isMalformed()) return this.form.focusFirstFault();
    await this.run();
    this.showAnswer();
  }

  /** Another command, with the same inputs. */
  anew() {
    this.ids.commandId = newId();
    this.reply = null;
    this.command?.watch(this.ids);
    refresh();
  }

  /** What can be done with something new. */
  nextLinks() {
    const id = this.reply?.json?.id;
    if (this.reply?.status !== 201 || !id) return nothing;
    const known = this.operation.links.map((name) => this.api.operations.get(name)).filter((it) => it !== undefined);
    const to = (operation) => {
      const last = operation.ids.at(-1)?.name;
      /** @type {Record<string, string>} */
      const ids = last ? { ...this.ids, [last]: id } : { 'search.id': id };
      return link('operations', operation.name, ids);
    };
    return html`<nav class="row next" aria-label=${t('next')}>
      ${known.map((operation) => html`<a class="button" href=${to(operation)}>${operation.summary}</a>`)}
    </nav>`;
  }

  /** Goes to the same screen with another query. @param {[string, string][]} query */
  show(query) {
    go(link('operations', this.operation.name, [...Object.entries(this.ids), ...query]));
  }
}
