/**
 * A form made from the schema of a body, with what the model says of its fields. Errors stand at their fields.
 *
 * @import { Interface, Json, Operation } from './interface.js'
 */
import { html, nothing } from './vendor/lit-html.js';
import { flat, hasMalformed, isMalformed, kindOf, put, toBody, toDraft } from './draft.js';
import { control } from './inputs.js';
import { problemList } from './answer.js';
import { parse } from './client.js';
import { toJson } from './numbers.js';
import { afterDrawing, refresh } from './store.js';
import { t } from './texts.js';
import { prose } from './values.js';

/** The id of the input of a field. @param {string} path */
const inputId = (path) => `in-${path || 'body'}`;

export class Form {
  /**
   * @param {Interface} api @param {Operation} operation @param {string} mediaType
   * @param {(path: string) => void} onInput
   */
  constructor(api, operation, mediaType, onInput) {
    this.api = api;
    this.operation = operation;
    this.onInput = onInput;
    this.schema = operation.bodies.get(mediaType) ?? {};
    this.fields = api.fieldsOf(operation);
    /** Whether the body replaces what is stored. */
    this.replaces = operation.action === 'update';
    this.isList = flat(api, this.schema).type === 'array';
    /** A list of patches is written as JSON. */
    this.isText = this.isList;
    this.text = this.isList ? '[\n  { "op": "replace", "path": "/", "value": null }\n]' : '{}';
    /** @type {any} */
    this.draft = {};
    /** @type {any[]} */
    this.problems = [];
    /** @type {Set<string>} the paths whose errors are shown at a field */
    this.shown = new Set();
    this.example = api.deref(this.schema).examples?.[0];
    if (this.isList && this.example) this.text = toJson(this.example, 2);
  }

  /** Begins with an entity or an example. @param {any} value */
  load(value) {
    this.draft = toDraft(this.api, this.schema, value) ?? {};
    this.text = toJson(value, 2);
    if (this.isText && !this.isList) this.text = this.body();
    refresh();
  }

  /** What is sent. */
  body() {
    if (this.isText) return this.text;
    return toJson(toBody(this.api, this.schema, this.draft, this.replaces) ?? {});
  }

  /** Whether a field should be JSON and is none yet: then there is nothing to send. */
  isMalformed() {
    return !this.isText && hasMalformed(this.api, this.schema, this.draft);
  }

  /** Between fields and JSON. */
  toggle() {
    if (this.isText) {
      this.draft = toDraft(this.api, this.schema, parse(this.text) ?? {}) ?? {};
    } else {
      this.text = toJson(parse(this.body()), 2);
    }
    this.isText = !this.isText;
    refresh();
  }

  /** Puts the cursor where the first error is. */
  focusFirstFault() {
    afterDrawing(() =>
      /** @type {HTMLElement | null} */ (document.querySelector('.form [aria-invalid=true]'))?.focus(),
    );
  }

  /** @param {any[]} problems */
  render(problems) {
    this.problems = problems;
    this.shown = new Set();
    const content = this.isText ? this.textArea() : this.members(this.schema, this.fields, [], this.draft);
    const others = problems.filter((problem) => !this.shown.has(problem.path));
    return html`<div class="form">
      <div class="row tools">
        ${
          this.example === undefined
            ? nothing
            : html`<button type="button" class="quiet" id="fill-example" @click=${() => this.fill()}>
                ${t('fillExample')}
              </button>`
        }
        ${
          this.isList
            ? nothing
            : html`<button type="button" class="quiet" @click=${() => this.toggle()}>
                ${this.isText ? t('asForm') : t('asJson')}
              </button>`
        }
      </div>
      ${others.length === 0 ? nothing : problemList(others)}
      ${content}
    </div>`;
  }

  fill() {
    this.load(this.example);
    this.onInput('');
  }

  textArea() {
    const input = (event) => {
      this.text = event.target.value;
      this.onInput('');
      refresh();
    };
    return html`<div class="field">
      <label for=${inputId('')}>${t('body')} (JSON)</label>
      <textarea id=${inputId('')} class="mono" rows="12" spellcheck="false"
        .value=${this.text} @input=${input}></textarea>
    </div>`;
  }

  /**
   * The fields of an object.
   * @param {Json} node @param {Json[]} fields @param {(string | number)[]} place @param {any} draft
   */
  members(node, fields, place, draft) {
    const schema = flat(this.api, node);
    const required = new Set(schema.required ?? []);
    return Object.entries(schema.properties ?? {}).map(([name, part]) =>
      this.field(
        part,
        fields.find((field) => field.name === name),
        [...place, name],
        draft?.[name],
        {
          label: name,
          isRequired: required.has(name),
        },
      ),
    );
  }

  /**
   * @param {Json} node @param {Json | undefined} field @param {(string | number)[]} place @param {any} draft
   * @param {{ label: string, isRequired: boolean, remove?: unknown }} about
   */
  field(node, field, place, draft, about) {
    const schema = flat(this.api, node);
    const kind = kindOf(schema);
    if (kind === 'ignored') return nothing;
    if (kind === 'array') return this.array(schema, field, place, draft ?? [], about);
    const isReference = field?.type === 'ref' && schema.properties?.id;
    if (kind !== 'object' || isReference) {
      const leaf = isReference ? { ...schema.properties.id, description: schema.description } : schema;
      return this.leaf(leaf, field, isReference ? [...place, 'id'] : place, isReference ? draft?.id : draft, about);
    }
    const inner = field?.type === 'price' ? [] : this.api.fieldsIn(field);
    return html`<fieldset class=${field?.type === 'price' ? 'pair' : ''}>
      <legend>${this.legend(about, schema)}</legend>
      ${this.errors(place.join('.'))}
      <div class="members">${this.members(schema, inner, place, draft)}</div>
      ${about.remove ?? nothing}
    </fieldset>`;
  }

  /**
   * @param {Json} schema @param {Json | undefined} field @param {(string | number)[]} place @param {any} draft
   * @param {any} about
   */
  leaf(schema, field, place, draft, about) {
    const path = place.join('.');
    const id = inputId(path);
    const paths = field?.type === 'ref' ? [path, path.replace(/\.id$/, '')] : [path];
    const isJson = kindOf(flat(this.api, schema)) === 'json';
    const isHere = (problem) => paths.includes(problem.path) || (isJson && problem.path?.startsWith(`${path}.`));
    const problems = this.problems.filter(isHere);
    [...paths, ...problems.map((problem) => problem.path)].forEach((it) => this.shown.add(it));
    const isInside = (problem) => !paths.includes(problem.path);
    const messages = isMalformed(flat(this.api, schema), draft)
      ? [t('notJson')]
      : problems.map((it) => (isInside(it) ? `${it.path}: ${it.userMessage}` : it.userMessage));
    const hint = [schema.description, this.moreAbout(schema, field, isJson)].filter(Boolean).join(' ');
    const described = [hint && `${id}-hint`, messages.length > 0 && `${id}-error`].filter(Boolean).join(' ');
    const set = (value) => {
      this.draft = put(this.draft, place, value);
      this.onInput(path);
      refresh();
    };
    const values = {
      id,
      schema: flat(this.api, schema),
      field,
      value: draft ?? '',
      described,
      isFaulty: messages.length > 0,
      set,
    };
    return html`<div class="field">
      <label for=${id}>${this.legend(about, schema)}</label>
      <div class="row">${control(this.api, values)}${about.remove ?? nothing}</div>
      ${hint ? html`<p class="hint" id="${id}-hint">${prose(hint)}</p>` : nothing}
      ${messages.length > 0
        ? html`<p class="error" id="${id}-error">${messages.join(' ')}</p>`
        : nothing}
    </div>`;
  }

  /**
   * What is written in an input, where its name does not say so.
   * @param {Json} schema @param {Json | undefined} field @param {boolean} isJson
   */
  moreAbout(schema, field, isJson) {
    if (schema.anyOf) return t('criterion');
    if (field?.type === 'ref') return t('referenceTo', { name: field.to });
    if (!isJson) return '';
    return schema.additionalProperties ? t('mapAsJson') : t('anyJson');
  }

  /** @param {any} about @param {Json} schema */
  legend(about, schema) {
    return html`<span class="name">${about.label}</span>
      ${about.isRequired ? html`<span class="tag need">${t('required')}</span>` : nothing}
      ${schema.deprecated ? html`<span class="tag warn">${t('deprecated')}</span>` : nothing}`;
  }

  /**
   * @param {Json} schema @param {Json | undefined} field @param {(string | number)[]} place @param {any[]} draft
   * @param {any} about
   */
  array(schema, field, place, draft, about) {
    const path = place.join('.');
    const change = (items) => {
      this.draft = put(this.draft, place, items);
      this.onInput(path);
      refresh();
    };
    const remove = (
      index,
    ) => html`<button type="button" class="quiet" aria-label=${t('removeItem', { name: `${about.label} ${index + 1}` })}
      @click=${() => change(draft.filter((_, at) => at !== index))}>×</button>`;
    const isObject = kindOf(flat(this.api, schema.items)) === 'object';
    const add = () => {
      change([...draft, isObject ? {} : '']);
      const id = inputId([...place, draft.length].join('.'));
      afterDrawing(() => /** @type {HTMLElement | null} */ (document.querySelector(`[id^="${id}"]`))?.focus());
    };
    return html`<fieldset>
      <legend>${this.legend(about, schema)}</legend>
      ${schema.description ? html`<p class="hint">${prose(schema.description)}</p>` : nothing}
      ${this.errors(path)}
      ${draft.map((item, index) =>
        this.field(schema.items, field?.items, [...place, index], item, {
          label: `${index + 1}`,
          isRequired: false,
          remove: remove(index),
        }),
      )}
      <button type="button" class="quiet" @click=${add}>${t('addItem', { name: about.label })}</button>
    </fieldset>`;
  }

  /** The errors of an object or a list itself. @param {string} path */
  errors(path) {
    const problems = this.problems.filter((problem) => problem.path === path);
    this.shown.add(path);
    return problems.map((problem) => html`<p class="error">${problem.userMessage}</p>`);
  }
}
