"""The only way memories change: operations in, outcomes out."""
