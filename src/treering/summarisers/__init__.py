"""Language models that condense texts into digests: asked over HTTP, and only where the settings say so."""
