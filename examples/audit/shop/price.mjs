export const discounted = (price, percent) => price - percent;
