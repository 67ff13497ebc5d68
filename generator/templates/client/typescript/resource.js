{{ header }}

import {{ "{" }} {{ media_type_import }} {{ "}" }} from "./media-type.js";
{%- for import in imports %}
import {{ "{" }}{{ import.names }}{{ "}" }} from "{{ up }}core/{{ import.file }}.js";
{%- endfor %}
{%- for collection in collections %}

export function {{ collection.name }}({{ collection.parameters }}) {
  const at = {{ place }}(client, {{ collection.path }}, {{ media_type }}, {{ collection.items }});
  return {
{%- for method in collection.methods %}
    {{ method }},
{%- endfor %}
  };
}
{%- endfor %}
