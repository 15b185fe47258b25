"""What screens are made of, and the boxes that several have."""
