"""Seeds of tables that distinguish forms. vectors/update.py chooses the seeds."""

# fmt: off
SEEDS = (
    0, 5, 6, 9, 10, 11, 15, 19, 20, 24, 25, 27, 30, 33, 34,
    38, 44, 56, 59, 60, 61, 63, 64, 69, 74, 81, 82, 84, 95,
)
