"""Programs that try to break the package for as long as they are let; pytest runs each of them shortly."""
