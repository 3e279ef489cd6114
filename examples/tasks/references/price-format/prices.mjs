function amount(cents, separator) {
  return Math.abs(cents / 100)
    .toFixed(2)
    .replace(/\B(?=(\d{3})+(?!\d))/g, separator);
}

const sign = (cents) => (cents < 0 ? "-" : "");

export const euros = (cents) => `${sign(cents)}${amount(cents, " ")} €`;
export const dollars = (cents) => `${sign(cents)}$${amount(cents, ",")}`;
export const pounds = (cents) => `${sign(cents)}£${amount(cents, ",")}`;
