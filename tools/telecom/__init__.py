"""What is special about a messaging and telecom API: segments, signatures, states, the sandbox."""
