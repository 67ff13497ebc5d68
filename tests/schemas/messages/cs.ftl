# A language of the service's own. What is missing here is told in English.
TooMuch = Zbývá už jen { $most }.
Specimen_note_InvalidText = Poznámka nesmí obsahovat tyto znaky.
Specimen_storage_shelf_Required = Ve kterém regálu?
Specimen_readings_TooSmall = Žádný údaj není menší než { $minimum }.
Specimen_password_TooLong = Heslo má nejvýše { $maxLength } znaků.
NotEmail = To není e-mailová adresa.
Required = Vyplňte prosím toto pole.
