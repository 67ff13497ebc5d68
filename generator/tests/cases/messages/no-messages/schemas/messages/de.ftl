# Nothing is translated yet.
-shop = Der Laden
