const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The time in the Common Log Format: 01/Mar/2026:09:30:00 +0000 */
export function clfTime(time: Date): string {
  const [date, clock] = time.toISOString().split('T') as [string, string];
  const [year, month, day] = date.split('-') as [string, string, string];
  return `${day}/${months[Number(month) - 1]}/${year}:${clock.slice(0, 8)} +0000`;
}
