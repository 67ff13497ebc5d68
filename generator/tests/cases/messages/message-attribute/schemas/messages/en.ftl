TooLong = This is too long.
    .hint = At most { $maxLength } characters.
