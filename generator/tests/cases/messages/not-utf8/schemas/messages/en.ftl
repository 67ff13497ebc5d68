TooLong = Za du¿o.
