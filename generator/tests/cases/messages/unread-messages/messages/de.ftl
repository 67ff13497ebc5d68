Forbidden = Das ist nicht erlaubt.
