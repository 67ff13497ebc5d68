{{ header }}

import type * as core from "{{ up }}core/types.js";
{%- for it in enums %}

{{ it }}
{%- endfor %}
{%- for object in objects %}

{{ object.doc }}export interface {{ object.name }} {
{{ object.members }}}
{%- endfor %}
