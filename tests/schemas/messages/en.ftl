# A code of the service's own, a field's message, one in place of what is built in.
TooMuch = Only { $most } are left.
Specimen_note_InvalidText = A note cannot have these characters.
Specimen_storage_shelf_Required = On which shelf is it?
Specimen_readings_TooSmall = No reading is below { $minimum }.
Specimen_password_TooLong = { $maxLength ->
    [one] A password has one character at most.
   *[other] A password has { $maxLength } characters at most.
}
NotEmail = That is no e-mail address.
