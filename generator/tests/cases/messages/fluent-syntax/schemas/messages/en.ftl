TooLong = At most { $maxLength characters.

TooShort = At least { $minLength } characters.
