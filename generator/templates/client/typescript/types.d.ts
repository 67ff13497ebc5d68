{{ header }}

{%- if !core.is_empty() %}
import type {{ "{" }}{{ core }}{{ "}" }} from "{{ up }}core/types.js";
{%- else %}
export {};
{%- endif %}
{%- for it in enums %}

{{ it }}
{%- endfor %}
{%- for object in objects %}

{{ object.doc }}export interface {{ object.name }} {
{{ object.members }}}
{%- endfor %}
