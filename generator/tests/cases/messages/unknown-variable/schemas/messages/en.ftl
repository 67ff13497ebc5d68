TooLong = { $max ->
    [one] One character.
   *[other] Some characters.
}
