{{ header }}

import { events as read } from "./core/events.js";

const KNOWN = new Set([
{%- for kind in kinds %}
  {{ kind }},
{%- endfor %}
]);

export const events = (client, filters) => read(client, (type) => KNOWN.has(type), filters);
