"""What schemathesis must know beside the document: which refusals are about the meaning of a valid request."""

import schemathesis

# A request of the right form may be refused for these. Every other code of a 422 is a gap of the document.
SEMANTIC = {
    "NotFound", "NotUnique", "StillReferenced", "Immutable", "PathMismatch", "CommandIdUsed", "SearchFiltersFixed",
    # limits of texts that stand for numbers and times; forms that no pattern says whole
    "TooSmall", "TooLarge", "TooManyDigits", "InvalidTimestamp", "InvalidDate", "InvalidLanguage", "InvalidDuration",
    "InvalidTimezone", "NotEmail", "NotUri", "InvalidText",
    # one parameter needs or forbids another
    "InvalidParameter", "RepeatedParameter", "UnknownParameter",
    # a patch is about the state of the entity
    "InvalidPatch", "TestFailed", "UnknownProperty", "Required", "WrongType",
}


@schemathesis.check
def only_documented_codes(ctx, response, case):
    """Every error has a code that the document lists with its status, or one of the service's own rules."""
    if response.status_code < 400 or response.status_code == 405:
        return
    responses, status = case.operation.definition.raw["responses"], str(response.status_code)
    definition = responses.get(status) or responses.get("default", {})
    reference = definition.get("$ref")
    if reference:
        name = reference.rsplit("/", 1)[1]
        definition = case.operation.schema.raw_schema["components"]["responses"][name]
    if status not in responses:
        # the default response is for some statuses only
        assert status in definition.get("x-statuses", {}), f"{status} is not documented"
        definition = definition["x-statuses"][status]
    documented = set(definition.get("x-error-codes", []))
    if "Rejected" in documented:
        return
    for error in response.json().get("errors", []):
        assert error["code"] in documented, f"{error['code']} is not documented with {response.status_code}"


@schemathesis.hook
def filter_failure(ctx, failure, case, response):
    """What is as it should be. A dry run with `include` validates the fields that it names and nothing else (§4.3), so
    a body that is wrong elsewhere is accepted. A command that is announced has no handler: 501, as the document says."""
    name = type(failure).__name__
    accepts_only_parts = response.status_code == 204 and "include" in (case.query or {})
    is_announced = response.status_code == 501 and "501" in case.operation.definition.raw["responses"]
    return not (name == "AcceptedNegativeData" and accepts_only_parts or name == "ServerError" and is_announced)
