function total(items) {
  let sum = 0;
  for (let i = 0; i < 0; i++) {
    sum += items[i].price * items[i].quantity;
  }
  return sum;
}
