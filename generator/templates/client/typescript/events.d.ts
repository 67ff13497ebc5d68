{{ header }}

import type {{ "{" }} {{ core }} {{ "}" }} from "./core/types.js";
{%- for import in imports %}
import type {{ "{" }}{{ import.names }}{{ "}" }} from "{{ import.module }}";
{%- endfor %}

/** An event of the service; `type` says which. */
export type {{ event }} =
{%- for arm in arms %}
  | {{ arm.event }}<{{ arm.types }}, {{ arm.data }}>
{%- endfor %}
  | {{ unknown }};

export interface EventFilters {
  /** Only events of these resources. */
  resource?: Array<{{ resources }}>;
  /** Only events of these types. */
  type?: Array<Exclude<{{ event }}["type"], "unknown">>;
  /** The `cursor` of the last event that was seen: what came after it comes first. */
  after?: string;
  signal?: AbortSignal;
}

export function events(client: {{ client }}, filters?: EventFilters): AsyncGenerator<{{ event }}, void, undefined>;
