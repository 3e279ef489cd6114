export function euros(cents) {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.abs(cents / 100).toFixed(2);
  return `${sign}${whole.replace(/\B(?=(\d{3})+(?!\d))/g, " ")} €`;
}

export function dollars(cents) {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.abs(cents / 100).toFixed(2);
  return `${sign}$${whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",")}`;
}

export function pounds(cents) {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.abs(cents / 100).toFixed(2);
  return `${sign}£${whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",")}`;
}
