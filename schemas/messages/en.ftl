# A message's id is the error's code, or that of one field.
Offer_name_TooLong = Please keep the offer's title to { $maxLength } characters.
User_password_TooShort = A password needs { $minLength } characters or more.
