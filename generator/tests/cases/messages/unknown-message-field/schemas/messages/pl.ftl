# Nazwy.
User_nmae_TooLong = Najwyżej { $maxLength } znaków.
