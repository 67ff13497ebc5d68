Forbidden = To nie jest dozwolone.
