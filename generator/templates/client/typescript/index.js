{{ header }}

import { Client } from "{{ up }}core/client.js";
import {{ "{" }} {{ events_import }} {{ "}" }} from "{{ up }}events.js";
{%- for import in imports %}
import {{ "{" }}{{ import.names }}{{ "}" }} from "./{{ import.module }}.js";
{%- endfor %}

export { Client, NotModified, metadata } from "{{ up }}core/client.js";
export * from "{{ up }}core/errors.js";

export function {{ name }}(options) {
  const client = options instanceof Client ? options : new Client(options);
  return {
    client,
    events: (filters) => {{ events }}(client, filters),
{%- for member in members %}
    {{ member.key }}: {{ member.name }}(client),
{%- endfor %}
{%- for group in groups %}
    {{ group.name }}: {
{%- for member in group.members %}
      {{ member.key }}: {{ member.name }}(client),
{%- endfor %}
    },
{%- endfor %}
  };
}
