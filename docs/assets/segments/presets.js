// Texts to try: one for each thing that there is to learn.

export const PRESETS = [
  ["Short", "Your code is 482913. It is valid for 10 minutes."],
  [
    "Euro sign",
    "Your order 20418 is ready at the counter: two jackets, and one pair of boots, 149.90 € in all. " +
      "We keep it for seven days, and are open from 9:00 to 18:00 daily.",
  ],
  [
    "Curly quotes",
    "Hello Ada, don’t forget: your table for two is booked under “Lovelace” – tonight, 19:30… See you soon!",
  ],
  ["Emoji", "Your parcel is on its way 🚚 and arrives between 10:00 and 12:00. Follow it in the app 📦👍🏽"],
  ["Cyrillic", "Ваш код: 482913. Он действует десять минут. Никому его не сообщайте, даже нам."],
  [
    "Long",
    "Dear customer, on Saturday, 5 December we work on the network in your street. Between 1:00 and 5:00 calls " +
      "and data may fail for some minutes at a time. {Ref. 4821} You need not do anything: everything comes back by " +
      "itself. Should it not, switch the router off, wait for ten seconds, and switch it on again. Thank you for " +
      "your patience!",
  ],
];
