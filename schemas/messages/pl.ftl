Offer_name_TooLong = Tytuł oferty może mieć najwyżej { $maxLength } znaków.
User_password_TooShort = Hasło musi mieć co najmniej { $minLength } znaków.
