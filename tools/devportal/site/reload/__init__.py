"""What a build of a served site leaves as the last one made it: only what an edit can show is made again."""
