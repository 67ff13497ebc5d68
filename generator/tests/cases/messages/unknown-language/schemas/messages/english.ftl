TooLong = At most { $maxLength } characters.
