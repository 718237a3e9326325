"""What a kernel can call does: functions of vectors, and what threads do together."""
