TooMuch = { $most ->
    [0] Nic już nie zostało.
    [one] Została { $most } sztuka.
    [few] Zostały { $most } sztuki.
    [many] Zostało { $most } sztuk.
   *[other] Zostało { $most } sztuki.
}
Specimen_note_InvalidText = Notatka nie może zawierać tych znaków.
Specimen_storage_shelf_Required = Na której półce?
Specimen_readings_TooSmall = Żaden odczyt nie jest mniejszy niż { $minimum }.
Specimen_password_TooLong = Hasło ma najwyżej { $maxLength } zn.
