/** What people type or programs send: where it comes from, what is sent, and what is stored. undefined: it is refused. */
export type Row = [source: string, sent: object, stored: object | undefined];
