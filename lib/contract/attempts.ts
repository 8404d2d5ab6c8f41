/** A delivery keeps its newest attempts, at most as many as the schedule has. A page of 100 deliveries must fit into an answer. */
export const attemptsKept = 13;
