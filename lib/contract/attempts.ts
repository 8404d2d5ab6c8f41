/** How many attempts a delivery remembers, the newest: as many as the schedule has. A page of 100 deliveries has to fit into an answer. */
export const attemptsKept = 13;
