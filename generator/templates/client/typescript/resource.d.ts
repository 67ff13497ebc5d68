{{ header }}

import type {{ "{" }}{{ core }}{{ "}" }} from "{{ up }}core/types.js";
{%- if !shared.is_empty() %}
import type {{ "{" }}{{ shared }}{{ "}" }} from "./types.js";
{%- endif %}
{%- for body in bodies %}

{{ body.doc }}export interface {{ body.name }} {
{{ body.members }}}
{%- endfor %}
{%- for collection in collections %}
{%- if let Some(filters) = collection.filters %}

/** The conditions of a list. Conditions on different properties must all hold; of several values, any. */
export interface {{ collection.filters_name }} {
{{ filters }}}

/** What a list can be ordered by; `-` before a name means descending. */
export type {{ collection.sort_name }} = {{ collection.sort }};
{%- endif %}

{{ collection.doc }}export interface {{ collection.methods_name }} {
{%- for method in collection.methods %}
{{ method.doc }}  readonly {{ method.name }}: {{ method.ty }};
{%- endfor %}
}

export function {{ collection.name }}(client: {{ client }}{{ collection.parameters }}): {{ collection.methods_name }};
{%- endfor %}
