/**
 * The interface of the service, read from its own descriptions: `/openapi.json` says what can be called and what comes
 * back, `/model.json` what the resources are. Nothing is derived here that one of them says.
 *
 * @typedef {Record<string, any>} Json
 * @typedef {{ name: string, description: string, schema: Json, isRepeatable: boolean, versions: string[] | null,
 *   values: string[], isDeprecated: boolean, resource: string | null }} Parameter
 * @typedef {{ status: string, description: string, codes: string[] }} Answer
 * @typedef {{ name: string, method: string, path: string, summary: string, description: string, tag: string,
 *   resource: string | null, action: string, view: string | null, under: string | null, command: string | null,
 *   ids: Parameter[], query: Parameter[], headers: Parameter[], bodies: Map<string, Json>, results: Map<string, Json>,
 *   answers: Answer[], needsToken: boolean, scopes: string[], isDeprecated: boolean, sunset: string | null,
 *   links: string[] }} Operation
 * @typedef {{ name: string, plural: string, description: string, model: Json, operations: Operation[],
 *   events: string[] }} Resource
 */

import { fromJson } from './numbers.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const SUCCESS = ['200', '201'];
/** The order in which operations are listed, within the resource itself, a view, a parent or a command. */
const ORDER = [
  'list', 'create', 'get', 'update', 'patch', 'delete', 'createSearch', 'getSearch', 'submit', 'status', 'listCommands',
];

export class Interface {
  /** @param {Json} document of OpenAPI @param {Json} model */
  constructor(document, model) {
    this.document = document;
    this.model = model;
    /** @type {string} */
    this.title = document.info.title;
    /** @type {string[]} */
    this.introduction = document.info.description.split('\n\n');
    /** @type {Map<string, Operation>} */
    this.operations = new Map();
    for (const [path, item] of Object.entries(document.paths)) {
      for (const method of METHODS.filter((method) => item[method])) {
        const operation = this.operation(path, method, item);
        this.operations.set(operation.name, operation);
      }
    }
    /** @type {Resource[]} */
    this.resources = document.tags.filter((tag) => tag['x-resource']).map((tag) => this.resource(tag));
    /** @type {string[]} the versions of all resources */
    this.versions = [...new Set(this.resources.flatMap((resource) => resource.model.versions ?? []))]
      .sort()
      .reverse();
  }

  /** Reads both descriptions. */
  static async load() {
    const read = async (name) => {
      const response = await fetch(new URL(`../${name}`, import.meta.url));
      if (!response.ok) throw new Error(`${name}: ${response.status}`);
      return fromJson(await response.text());
    };
    const [document, model] = await Promise.all(['openapi.json', 'model.json'].map(read));
    return new Interface(document, model);
  }

  /** @param {Json} tag @returns {Resource} */
  resource(tag) {
    const model = this.model.resources.find((resource) => resource.name === tag['x-resource']);
    const operations = inOrder([...this.operations.values()].filter((operation) => operation.tag === tag.name));
    const events = tag['x-event-types'] ?? [];
    return { name: model.name, plural: tag.name, description: tag.description, model, operations, events };
  }

  /** @param {string} path @param {string} method @param {Json} item @returns {Operation} */
  operation(path, method, item) {
    const written = item[method];
    const origin = written['x-operation'] ?? {};
    const parameters = [...(item.parameters ?? []), ...(written.parameters ?? [])].map((part) => this.deref(part));
    const of = (place) => parameters.filter((it) => it.in === place).map((it) => this.parameter(it));
    /** @type {[string, Json][]} */
    const responses = Object.entries(written.responses).flatMap(([status, it]) => {
      const response = this.deref(it);
      // the default response says which statuses it is for
      return Object.entries(response['x-statuses'] ?? { [status]: response });
    });
    const success = responses.find(([status]) => SUCCESS.includes(status))?.[1];
    const contents = (content) => new Map(Object.entries(content ?? {}).map(([type, it]) => [type, it.schema]));
    return {
      name: written.operationId,
      method: method.toUpperCase(),
      path,
      summary: written.summary,
      description: written.description,
      tag: written.tags[0],
      resource: origin.resource ?? null,
      action: origin.action ?? '',
      view: origin.view ?? null,
      under: origin.under ?? null,
      command: origin.command ?? null,
      ids: of('path'),
      query: of('query'),
      headers: of('header'),
      bodies: contents(written.requestBody?.content),
      results: contents(success?.content),
      answers: responses.map(([status, it]) => ({
        status,
        description: it.description,
        codes: it['x-error-codes'] ?? [],
      })),
      needsToken: !written.security.some((way) => Object.keys(way).length === 0),
      scopes: written['x-scopes'] ?? [],
      isDeprecated: written.deprecated ?? false,
      sunset: written['x-sunset'] ?? null,
      links: Object.keys(success?.links ?? {}),
    };
  }

  /** @param {Json} written @returns {Parameter} */
  parameter(written) {
    const schema = this.deref(written.schema);
    const isRepeatable = schema.type === 'array';
    const given = isRepeatable ? this.deref(schema.items) : schema;
    // the other way of a filter is the empty text, which stands for null
    const one = given.anyOf ? this.deref(given.anyOf.find((/** @type {Json} */ way) => way.maxLength !== 0)) : given;
    return {
      name: written.name,
      description: written.description ?? '',
      schema: one,
      isRepeatable,
      versions: written['x-versions'] ?? null,
      values: written['x-sortable'] ?? one.enum ?? [],
      isDeprecated: written.deprecated ?? false,
      resource: written['x-resource'] ?? null,
    };
  }

  /**
   * What a reference stands for. What is beside `$ref` stays.
   * @param {Json} node @returns {Json}
   */
  deref(node) {
    if (!node?.$ref) return node;
    const { $ref, ...beside } = node;
    const found = $ref
      .slice(2)
      .split('/')
      .reduce((tree, part) => tree[part], this.document);
    return { ...this.deref(found), ...beside };
  }

  /** The media type that a version of an operation has; the preferred one if it lacks the version.
   * @param {Operation} operation @param {string} version */
  mediaType(operation, version) {
    const types = [...(operation.bodies.size ? operation.bodies : operation.results).keys()];
    return types.find((type) => this.versionOf(type) === version) ?? types[0] ?? null;
  }

  /** @param {string | null} mediaType */
  versionOf(mediaType) {
    return /\.((?:public|beta)\.v\d+)\+json$/.exec(mediaType ?? '')?.[1] ?? null;
  }

  /** @param {string | null} name */
  resourceNamed(name) {
    return this.resources.find((resource) => resource.name === name);
  }

  /**
   * The operation of a resource with this action; in a view, under a reference, of a command.
   * @param {string | null} resource @param {string} action
   * @param {{ view?: string | null, under?: string | null, command?: string | null }} [where]
   */
  find(resource, action, { view = null, under = null, command = null } = {}) {
    const operations = this.resourceNamed(resource)?.operations ?? [];
    const isIt = (it) => it.action === action && it.view === view && it.under === under && it.command === command;
    return operations.find(isIt);
  }

  /** The GET of one entity, in a view if that has one. @param {string | null} resource @param {string | null} [view] */
  entityOperation(resource, view = null) {
    return this.find(resource, 'get', { view }) ?? this.find(resource, 'get');
  }

  /** A shared type of the model. @param {string} name */
  named(name) {
    return [...(this.model.objects ?? []), ...(this.model.enums ?? [])].find((type) => type.name === name);
  }

  /**
   * The fields of the model that are in a body: those of the resource, or the inputs and outputs of a command.
   * @param {Operation} operation @returns {Json[]}
   */
  fieldsOf(operation) {
    const model = this.resourceNamed(operation.resource)?.model;
    const command = model?.commands?.find((it) => it.name === operation.command);
    return command ? [...(command.input ?? []), ...(command.output ?? [])] : (model?.fields ?? []);
  }

  /**
   * What a filter compares whose input is more than text: a reference (`seller.id`), a day or a time (`createdAt.gte`).
   * @param {Operation} operation @param {string} name @returns {Json | undefined}
   */
  filteredField(operation, name) {
    const [first, ...words] = name.split('.');
    if (first === 'createdAt' || first === 'updatedAt') return { type: 'timestamp' };
    let fields = this.resourceNamed(operation.resource)?.model?.fields ?? [];
    for (const word of [first, ...words]) {
      const field = fields.find((it) => it.name === word);
      if (!field || ['ref', 'date', 'timestamp'].includes(field.type)) return field;
      fields = this.fieldsIn(field);
    }
    return undefined;
  }

  /** The fields inside a field of the model. @param {Json | undefined} field @returns {Json[]} */
  fieldsIn(field) {
    if (field?.type === 'array') return this.fieldsIn(field.items);
    return field?.fields ?? (field?.type === 'named' ? this.named(field.of)?.fields : null) ?? [];
  }
}

/**
 * The operations of the resource itself, then of each view and parent, then the searches and the commands.
 * @param {Operation[]} operations
 */
function inOrder(operations) {
  const place = (it) => it.command ?? it.view ?? it.under ?? '';
  const places = [...new Set(operations.map(place))];
  const group = (it) => (it.command ? 3 : it.action.endsWith('Search') ? 2 : it.view || it.under ? 1 : 0);
  const key = (it) =>
    (group(it) * places.length + places.indexOf(place(it))) * ORDER.length + ORDER.indexOf(it.action);
  return operations.sort((a, b) => key(a) - key(b));
}
