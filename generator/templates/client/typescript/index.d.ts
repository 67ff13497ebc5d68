{{ header }}

import type { Client, ClientOptions } from "{{ up }}core/types.js";
import type { {{ event }}, EventFilters } from "{{ up }}events.js";
{%- for import in imports %}
import type {{ "{" }}{{ import.types }}{{ "}" }} from "./{{ import.module }}.js";
{%- endfor %}

export { Client, NotModified, metadata } from "{{ up }}core/types.js";
export type { ClientOptions, Options } from "{{ up }}core/types.js";
export * from "{{ up }}core/errors.js";

{{ doc }}export interface {{ interface }} {
  readonly client: Client;
  /** What happens, from now on or after a cursor. */
  readonly events: (filters?: EventFilters) => AsyncGenerator<{{ event }}, void, undefined>;
{%- for member in members %}
  readonly {{ member.key }}: {{ member.ty }};
{%- endfor %}
{%- for group in groups %}
  readonly {{ group.name }}: {
{%- for member in group.members %}
    readonly {{ member.key }}: {{ member.ty }};
{%- endfor %}
  };
{%- endfor %}
}

{{ doc }}export function {{ name }}(options: ClientOptions | Client): {{ interface }};
