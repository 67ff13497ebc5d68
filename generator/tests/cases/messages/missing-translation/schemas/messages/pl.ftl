# Nic jeszcze.
