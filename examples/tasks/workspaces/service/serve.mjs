console.log("serving");
