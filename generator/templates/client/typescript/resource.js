{{ header }}

import { mediaType } from "./media-type.js";
{%- for import in imports %}
import {{ "{" }}{{ import.names }}{{ "}" }} from "{{ up }}core/{{ import.file }}.js";
{%- endfor %}
{%- for collection in collections %}

export function {{ collection.name }}({{ collection.parameters }}) {
  const at = place(client, {{ collection.path }}, mediaType, {{ collection.items }});
  return {
{%- for method in collection.methods %}
    {{ method }},
{%- endfor %}
  };
}
{%- endfor %}
