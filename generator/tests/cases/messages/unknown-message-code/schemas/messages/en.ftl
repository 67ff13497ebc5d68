ToLong = At most { $maxLength } characters.
