"""Of the driver."""
